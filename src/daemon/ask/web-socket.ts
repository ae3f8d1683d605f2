/** Loaded when it is needed. Re-exported by name, because a dynamic import of a bundled CommonJS package has no named exports. */
export { WebSocket } from "ws";
