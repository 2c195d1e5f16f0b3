/** The scheme of an absolute URL as `URL.href` writes it: `mailto` of `mailto:ada@example.com`. */
export const schemeOf = (href: string): string => href.slice(0, href.indexOf(':'))

/** Whether a URL as `URL.href` writes it is one of the web: all others are opened by an app. */
export const isWeb = (href: string): boolean => href.startsWith('https:') || href.startsWith('http:')

/**
 * Schemes that a link can never lead to, whatever the operator lists: those that run what they hold, show what it holds as a page
 * of this site, read from the visitor's disk, open pages of the browser itself or programs that were attacked by them, and
 * `intent`, which names a second address that nobody has looked at.
 */
export const NEVER_OPENED: ReadonlySet<string> = new Set([
  ...['javascript', 'vbscript', 'livescript', 'mocha', 'data', 'blob', 'about', 'view-source', 'srcdoc', 'feed'],
  ...['file', 'filesystem', 'jar', 'mk', 'mhtml', 'ms-its', 'res', 'wyciwyg', 'intent', 'content'],
  ...['chrome', 'chrome-extension', 'chrome-search', 'chrome-untrusted', 'devtools', 'edge', 'brave', 'opera', 'vivaldi'],
  ...['moz-extension', 'moz-icon', 'resource', 'safari-extension', 'safari-web-extension', 'webkit-extension'],
  ...['ms-msdt', 'search', 'search-ms', 'ms-officecmd', 'ms-cxh', 'ms-cxh-full', 'shell', 'help', 'hcp'],
])

/** What a scheme may be called (RFC 3986, 3.1). */
export const SCHEME = /^[a-z][a-z0-9+.-]{0,63}$/

/**
 * Whether a link can lead to a URL.
 * @param schemes that the operator lists beside http and https
 */
export const isOpened = (href: string, schemes: readonly string[]): boolean =>
  isWeb(href) || (schemes.includes(schemeOf(href)) && !NEVER_OPENED.has(schemeOf(href)))
