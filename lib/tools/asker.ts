import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Who has the work under way done: an account, a manage token or a client. What takes turns between people goes by it. Unset for
 * what the server does by itself.
 */
export const asker = new AsyncLocalStorage<string>()
