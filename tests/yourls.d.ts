/** The part of the client of YOURLS that is used, which comes without types. */
declare module 'yourls' {
  type Tell = (error: unknown, answer: Record<string, unknown>) => void
  export default class Yourls {
    constructor(url: string, token: string, options?: { format: string })
    shorten(url: string, tell: Tell): void
    vanity(url: string, keyword: string, tell: Tell): void
    expand(item: string, tell: Tell): void
    urlstats(item: string, tell: Tell): void
    stats(limit: number, filter: string, tell: Tell): void
  }
}
