"""Frames of scenes: RGB arrays, by resvg."""
