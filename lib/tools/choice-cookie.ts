/**
 * A reader's choice that the server is told with each page, kept for a year. No secret. @param secure whether pages come by https
 */
export const choiceCookie = (name: string, value: string, secure: boolean): string =>
  `${name}=${value}; Max-Age=31536000; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
