import { domainToUnicode } from 'node:url'

/**
 * Where names lead that are for sale or hold nothing but advertisements: hosts of the services that park them. Documented by
 * these services, or to be seen where such names lead; a site of their own is not meant (`sedo.com` itself is no parked name).
 */
const PARKERS = [
  'sedoparking.com',
  'parkingcrew.net',
  'bodis.com',
  'above.com',
  'parklogic.com',
  'dan.com',
  'afternic.com',
  'hugedomains.com',
  'undeveloped.com',
  'domainmarket.com',
  'buydomains.com',
  'parked.com',
  'cashparking.com',
  'uniregistry.com',
]

/** What their pages hold: names of their scripts, and words that no other page is likely to say of its own host. */
const SIGNS = [
  /sedoparking\.com\/frmpark|img\.sedoparking\.com/i,
  /parkingcrew\.net\/jsparkcaf|d38psrni17bvxu\.cloudfront\.net/i,
  /window\.park\s*=\s*["'][A-Za-z0-9+/]/,
  /\/parking-lander\/|wsimg\.com\/parking-lander/i,
  /data-adblockkey=["'][A-Za-z0-9+/=]{20,}/i,
]
/** Characters of a title that are looked at. */
const MOST_TITLE = 300
const FOR_SALE =
  /\b(?:this )?domain(?: name)? (?:is|may be) for sale\b|\bbuy this domain\b|\bdiese domain (?:steht zum verkauf|kaufen)\b/i

/**
 * Whether a page looks parked: it does where a link ends at a service that parks names and did not lead there, where the page is
 * made by such a service, or where its title offers its own host for sale.
 * @param from where the link leads @param at what answered
 */
export function looksParked(from: URL, at: URL, html: string): boolean {
  if (isParker(at.hostname) && !isParker(from.hostname)) return true
  if (SIGNS.some((sign) => sign.test(html))) return true
  const title = titleOf(html)
  const names = [at.hostname, domainToUnicode(at.hostname)].map((name) => name.replace(/^www\./, ''))
  return FOR_SALE.test(title) && names.some((name) => name !== '' && title.toLowerCase().includes(name))
}

/**
 * The beginning of a page's title; '' for a page without one. By places and not by one pattern: a page full of `<title` would
 * have it start again at each of them, and this process would do nothing else for seconds.
 */
function titleOf(html: string): string {
  const tag = html.search(/<title/i)
  const begin = tag === -1 ? -1 : html.indexOf('>', tag)
  return begin === -1 ? '' : (html.slice(begin + 1, begin + 1 + MOST_TITLE).split('<', 1)[0] ?? '')
}

const isParker = (host: string) => PARKERS.some((parker) => host === parker || host.endsWith(`.${parker}`))
