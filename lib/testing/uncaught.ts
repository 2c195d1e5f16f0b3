import { atEnd } from './cleanup'

/** @returns the errors that would have ended the process since, in place of whom vitest has listening for them */
export function uncaughtErrors(): unknown[] {
  const errors: unknown[] = []
  const listen = (error: unknown) => errors.push(error)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const others = process.listeners(event as 'uncaughtException')
    process.removeAllListeners(event).on(event, listen)
    atEnd(() => {
      process.off(event, listen)
      for (const other of others) process.on(event, other)
    })
  }
  return errors
}
