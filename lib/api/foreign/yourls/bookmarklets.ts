import { newLinkPath } from '@/lib/forms/given'
import { localeOf } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import type { ForeignCall } from '../dialect'
import { scriptOf } from './output'

/**
 * What the bookmarklets of YOURLS open, which go on working in the browsers of those who have them: `u` is the address, or `up`,
 * `us` and `ur` its parts, `t` the title and `k` the keyword. YOURLS creates a link by such a GET. Here the form is opened,
 * filled in: any page could send a visitor to this address, and only who wants a link is to get one.
 */
export async function bookmarklet({ ctx, query, request }: ForeignCall): Promise<Response> {
  const value = (name: string) => query.get(name) ?? ''
  const url = value('u') || value('up') + value('us') + value('ur')
  if (query.get('jsonp') === 'yourls' && url !== '') {
    const message = writer(localeOf(request.headers))(say('api.foreign.bookmarklet', { url: ctx.config.BASE_URL }))
    return scripted(`yourls_callback(${scriptOf({ short_url: '', message })});`)
  }
  return redirect(ctx, url === '' ? '/dashboard' : newLinkPath({ url, title: value('t'), code: value('k') }))
}

/** An address typed behind that of this site. */
export async function prefixed({ ctx, request }: ForeignCall): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const url = `${pathname.slice(1)}${search}`.replace(/^(https?:)\/+/i, '$1//')
  return redirect(ctx, newLinkPath({ url, title: '', code: '' }))
}

function redirect({ config }: ForeignCall['ctx'], path: string): Response {
  return new Response(null, { status: 302, headers: { Location: config.BASE_URL + path, 'Cache-Control': 'no-store' } })
}

function scripted(text: string): Response {
  const headers = { 'Content-Type': 'application/javascript; charset=utf-8', 'Cache-Control': 'no-store' }
  return new Response(text, { headers })
}
