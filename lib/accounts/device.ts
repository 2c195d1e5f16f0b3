import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '@/lib/config'
import { isHttps } from '@/lib/net/host'
import { keyedHash } from '@/lib/tools/hash'
import { cookieName } from './cookies'

/**
 * Browsers that have signed in to an account before, known by a cookie that only we can have made. Wrong passwords from
 * there are counted apart from everybody else's, so that nobody locks an owner out by guessing
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The cookie opens nothing.
 *
 * Its value is `<id of the browser>.<mark>.<mark>…`, a mark for each of the accounts that signed in there last.
 */

const ACCOUNTS = 4
const LIFETIME_S = 365 * 86_400

type Settings = Pick<Config, 'APP_SECRET' | 'BASE_URL'>

/**
 * The browser's id, if it has signed in to this account before.
 * @param value of the cookie
 * @returns null when it has not
 */
export function knownDevice({ APP_SECRET }: Settings, value: string | undefined, userId: string): string | null {
  const { id, marks } = parse(value)
  const right = Buffer.from(markOf(APP_SECRET, id, userId))
  const known = marks.some((mark) => mark.length === right.length && timingSafeEqual(Buffer.from(mark), right))
  return id !== '' && known ? id : null
}

/**
 * The Set-Cookie header by which a browser is known from now on, on all paths: forms are sent to pages.
 * @param value of the cookie that it has
 */
export function rememberDevice(config: Settings, value: string | undefined, userId: string): string {
  const { id, marks } = parse(value)
  const browser = id === '' ? randomBytes(16).toString('base64url') : id
  const mark = markOf(config.APP_SECRET, browser, userId)
  const kept = [mark, ...marks.filter((other) => other !== mark)].slice(0, ACCOUNTS)
  const secure = isHttps(config.BASE_URL) ? '; Secure' : ''
  const name = cookieName(config, 'device')
  return `${name}=${[browser, ...kept].join('.')}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly${secure}; SameSite=Lax`
}

/** Without anything that is not of the form of an id and its marks. */
function parse(value = ''): { id: string; marks: string[] } {
  const [id = '', ...marks] = value.split('.')
  if (!/^[\w-]{22}$/.test(id)) return { id: '', marks: [] }
  return { id, marks: marks.filter((mark) => /^[\w-]{22}$/.test(mark)).slice(0, ACCOUNTS) }
}

const markOf = (secret: string, id: string, userId: string) =>
  keyedHash(secret, `browser ${id} of account ${userId}`).toString('base64url').slice(0, 22)
