import type { NextRequest } from 'next/server'
import { brand } from '@/app/_server/brand'
import { iconSvg } from '@/lib/brand/brand'
import { iconPng, isPngIcon } from '@/lib/brand/icon-png'
import { readTypeface } from '@/lib/brand/typeface'
import { negotiate } from '@/lib/i18n/languages'
import { FAREWELL, WORKER } from '@/lib/offline/worker'
import { runtime } from '@/lib/runtime'

export const dynamic = 'force-dynamic'

/**
 * `/assets/mark` is the deployment's own logo, `/assets/icon` and the files of PNG_ICONS are Terse's in its colours: their
 * addresses change with them. `/assets/qr-logo` is the logo as QR codes have it. `/assets/geist.woff2` is the typeface of the
 * pages of links. `/assets/worker.js` keeps `/assets/offline` for when there is no network.
 */
export async function GET(request: NextRequest, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params
  const site = await brand()
  if (name === 'mark' && site.mark) return image(new Uint8Array(site.mark.bytes), site.mark.type)
  if (name === 'icon') return image(iconSvg(site), 'image/svg+xml')
  if (isPngIcon(name)) return image(iconPng(name, site), 'image/png')
  if (name === 'geist.woff2') return typeface()
  const { config, offline, qr } = await runtime()
  if (name === 'qr-logo') return image(new Uint8Array(await qr.siteLogo()), 'image/png')
  if (name === 'worker.js') return worker(config.OFFLINE_PAGE ? WORKER : FAREWELL)
  if (name === 'offline') {
    const language = request.nextUrl.searchParams.get('language') ?? undefined
    const { html, policy } = offline.in(negotiate('', language))
    return file(html, 'text/html; charset=utf-8', { 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy })
  }
  return new Response('There is nothing here.\n', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}

const file = (body: BodyInit, type: string, headers: Record<string, string>) =>
  new Response(body, { headers: { 'Content-Type': type, ...headers } })

const image = (body: BodyInit, type: string) =>
  file(body, type, {
    'Cache-Control': 'public, max-age=86400',
    // Opened by itself, an SVG is a page: its scripts do not run.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  })

/** Short links may have other hosts than the app, and a browser takes no font of another host without leave. */
const typeface = async () =>
  file(new Uint8Array(await readTypeface()), 'font/woff2', {
    'Cache-Control': 'public, max-age=604800',
    'Access-Control-Allow-Origin': '*',
  })

/** It is asked for the front page, and so may be the worker of all that lies below. */
const worker = (script: string) =>
  file(script, 'text/javascript; charset=utf-8', { 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/' })
