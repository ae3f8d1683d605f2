import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Ordinary clients send the next request after the answer. */
const maxOpen = 16;

/**
 * Closes a connection with more unanswered requests than that. Node starts all requests that have arrived, so a client
 * that sends thousands at once would occupy the thread for minutes, even after it has disconnected.
 */
export function limitPipelining(listener: RequestListener): RequestListener {
  const openOf = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return; // It arrived together with the one that was too many.
    const open = openOf.get(socket) ?? 0;
    if (open >= maxOpen) {
      socket.destroy();
      return;
    }
    openOf.set(socket, open + 1);
    response.once("close", () => openOf.set(socket, (openOf.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
