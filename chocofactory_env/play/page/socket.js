// The WebSocket: requests with answers, other messages, and new connections after a drop.

const LONGEST_WAIT = 5000; // milliseconds between attempts to connect

export class Refused extends Error {}

export class Socket {
  /** said(message): gets messages that are no answers. opened(), closed(): called when the connection changes. */
  constructor(said, opened, closed) {
    Object.assign(this, { said, opened, closed, next: 1, waiting: new Map(), wait: 250 });
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.addEventListener("open", () => {
      this.wait = 250;
      this.opened();
    });
    this.socket.addEventListener("message", (event) => this.read(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      for (const { reject } of this.waiting.values()) reject(new Refused("the connection was lost"));
      this.waiting.clear();
      this.closed();
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  get open() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  read(message) {
    const asked = this.waiting.get(message.id);
    if (asked === undefined) return this.said(message);
    this.waiting.delete(message.id);
    if (message.type === "refused") asked.reject(new Refused(message.reason));
    else asked.resolve(message);
  }

  /** Resolves with the server's answer; rejects with Refused. */
  ask(message) {
    if (!this.open) return Promise.reject(new Refused("there is no connection now"));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }
}
