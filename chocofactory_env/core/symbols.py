"""Read which names a library exports and imports: ELF, Mach-O of 64 bits, PE, all little-endian, and WebAssembly."""

from __future__ import annotations

from struct import calcsize, iter_unpack, unpack_from
from typing import Final, NamedTuple

ELF, MACH_O, PE, WASM = b"\x7fELF", b"\xcf\xfa\xed\xfe", b"MZ", b"\0asm"
# What every library of these formats exports.
HEADER_OF_MACH_O: Final = frozenset({"_mh_dylib_header", "__dso_handle"})
MEMORY_OF_WASM: Final = frozenset({"memory", "__stack_pointer"})


class Symbols(NamedTuple):
    """The names that a library exports, and those that it takes from elsewhere."""

    exported: frozenset[str]
    imported: frozenset[str]


def symbols_in(library: bytes) -> Symbols:
    """The symbols of a shared library.

    Raises:
        ValueError: the format is none of those known.
    """
    for magic, read in ((ELF, _in_elf), (MACH_O, _in_mach_o), (PE, _in_pe), (WASM, _in_wasm)):
        if library.startswith(magic):
            return read(library)
    raise ValueError(f"expected a library of ELF, Mach-O, PE or WebAssembly, got {library[:4]!r}")


def _in_elf(library: bytes) -> Symbols:
    (at,) = unpack_from("<Q", library, 40)
    size, count = unpack_from("<HH", library, 58)
    sections = [unpack_from("<IIQQQQIIQQ", library, at + size * number) for number in range(count)]
    dynamic = next(section for section in sections if section[1] == 11)  # SHT_DYNSYM
    names = sections[dynamic[6]][4]
    exported: set[str] = set()
    imported: set[str] = set()
    for name, _info, _other, section, _value, _size in iter_unpack("<IBBHQQ", _bytes(library, dynamic[4], dynamic[5])):
        if name:
            (exported if section else imported).add(_text(library, names + name))
    return Symbols(frozenset(exported), frozenset(imported))


def _in_mach_o(library: bytes) -> Symbols:
    (count,) = unpack_from("<I", library, 16)
    at = 32
    exported: set[str] = set()
    imported: set[str] = set()
    for _ in range(count):
        command, size = unpack_from("<II", library, at)
        if command == 2:  # LC_SYMTAB
            first, symbols, names, _ = unpack_from("<IIII", library, at + 8)
            for name, kind, _, _, _ in iter_unpack("<IBBHQ", _bytes(library, first, symbols * calcsize("<IBBHQ"))):
                if kind & 1 and not kind & 0xE0:  # external, and not for debuggers
                    (exported if kind & 0xE else imported).add(_text(library, names + name).removeprefix("_"))
        at += size
    return Symbols(frozenset(exported) - HEADER_OF_MACH_O, frozenset(imported))


def _in_pe(library: bytes) -> Symbols:
    (header,) = unpack_from("<I", library, 60)
    (count,) = unpack_from("<H", library, header + 6)
    (optional,) = unpack_from("<H", library, header + 20)
    sections = [unpack_from("<8sIIII", library, header + 24 + optional + 40 * number) for number in range(count)]

    def place(address: int) -> int:
        """Where in the file lies what is loaded at an address."""
        where = (file + address - start for _, _, start, size, file in sections if start <= address < start + size)
        return int(next(where))

    exports, _, imports, _ = unpack_from("<IIII", library, header + 24 + 112)
    exported: set[str] = set()
    imported: set[str] = set()
    if exports:
        (names,), (table,) = (unpack_from("<I", library, place(exports) + field) for field in (24, 32))
        addresses = iter_unpack("<I", _bytes(library, place(table), 4 * names))
        exported = {_text(library, place(address)) for (address,) in addresses}
    while imports and (entry := unpack_from("<IIIII", library, place(imports)))[3]:
        imported.add(_text(library, place(entry[3])))  # of the whole library
        imports += 20
    return Symbols(frozenset(exported), frozenset(imported))


def _in_wasm(library: bytes) -> Symbols:
    at = 8

    def number() -> int:
        """Read a number, seven bits in a byte."""
        nonlocal at
        value = shift = 0
        while True:
            at, byte = at + 1, library[at]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def name() -> str:
        nonlocal at
        size = number()
        at += size
        return library[at - size : at].decode()

    exported: set[str] = set()
    imported: set[str] = set()
    while at < len(library):
        section = number()
        size = number()
        end = at + size
        if section == 2 and number():
            imported.add(f"{name()}.{name()}")  # the first one: there should be none
        elif section == 7:
            for _ in range(number()):
                exported.add(name())
                number(), number()  # what it is, and its place
        at = end
    return Symbols(frozenset(exported) - MEMORY_OF_WASM, frozenset(imported))


def _bytes(library: bytes, at: int, size: int) -> bytes:
    return library[at : at + size]


def _text(library: bytes, at: int) -> str:
    return library[at : library.index(b"\0", at)].decode()
