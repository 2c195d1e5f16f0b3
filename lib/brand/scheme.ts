/** How the app's pages look: as the reader's system does, or always light or dark. */
export const SCHEMES = ['system', 'light', 'dark'] as const

export type Scheme = (typeof SCHEMES)[number]

/** Name of the cookie that holds the scheme somebody chose. No secret: the switch writes it too. */
export const SCHEME_COOKIE = 'scheme'

export const isScheme = (value: unknown): value is Scheme => SCHEMES.some((scheme) => scheme === value)
