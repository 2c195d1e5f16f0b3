import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection that may wait before nothing more is read from it. */
const MAY_WAIT = 32

/**
 * Works on the requests of one connection one after another. Their answers go out in that order anyway, and a client can send
 * thousands before it reads the first (pipelining, RFC 9112, 9.3.2): each would hold memory while it is worked on. Of those that
 * wait there are at most the ones that came in one piece, 64 kB. A request that follows the answer to the one before, as of
 * every browser and proxy, costs one comparison.
 */
export function inTurn(handle: Handler): Handler {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    // Node gives the socket to the answer whose turn it is.
    if (response.socket !== null) return handle(request, response)
    const { socket } = request
    if (!waiting.has(socket)) {
      // Node resumes the socket by itself, after each request: not while too many wait.
      socket.on('resume', () => {
        if ((waiting.get(socket) ?? 0) >= MAY_WAIT) socket.pause()
      })
    }
    const add = (change: number) => {
      const count = (waiting.get(socket) ?? 0) + change
      waiting.set(socket, count)
      if (count >= MAY_WAIT) socket.pause()
      else if (change < 0) socket.resume()
    }
    add(1)
    response.once('socket', () => {
      add(-1)
      handle(request, response)
    })
  }
}
