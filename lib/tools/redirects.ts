const REDIRECTS = [301, 302, 303, 307, 308] as const
export type AnyRedirect = (typeof REDIRECTS)[number]

/** Whether an answer with this status leads to its `Location`. */
export const isRedirect = (status: number): status is AnyRedirect => (REDIRECTS as readonly number[]).includes(status)
