import { connect, type Socket } from 'node:net'
import { greeted, type Hear } from './driver-greeting'

/**
 * A connection to a database as the driver (mariadb 3.4.5) takes it by its option `stream`, with what the driver does not take
 * care of itself.
 * @param isEncrypted whether the driver will ask for TLS
 */
export function openSocket(host: string, port: number, isEncrypted: boolean): Socket {
  return guarded(connect(port, host), (hear) => greeted(hear, isEncrypted))
}

/**
 * A socket that ends no process, whatever happens to it: an error of those who listen ends the connection. The driver throws when
 * it cannot read or write something, and when a connection ends that nobody uses. And it takes all its listeners from a socket
 * that ended, which may have an error to tell after that.
 * @param filter what the driver hears of the data
 */
export function guarded<T extends Socket>(socket: T, filter: (hear: Hear) => Hear = (hear) => hear): T {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
  const hear = filter((chunk) => emit('data', chunk))
  const guardedEmit = (event: string | symbol, ...args: unknown[]): boolean => {
    try {
      if (event !== 'data') return emit(event, ...args)
      hear(args[0] as Buffer)
    } catch (error) {
      socket.destroy(error as Error)
    }
    return true
  }
  return Object.assign(socket, { emit: guardedEmit })
}
