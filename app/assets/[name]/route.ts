import { brand } from '@/app/_server/brand'
import { iconSvg } from '@/lib/brand/brand'

export const dynamic = 'force-dynamic'

/** `/assets/mark` is the deployment's own logo, `/assets/icon` Terse's in its colours. Their addresses change with them. */
export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params
  const site = await brand()
  if (name === 'mark' && site.mark) return image(new Uint8Array(site.mark.bytes), site.mark.type)
  if (name === 'icon') return image(iconSvg(site), 'image/svg+xml')
  return new Response('There is nothing here.\n', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}

const image = (body: BodyInit, type: string) =>
  new Response(body, {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=86400',
      // Opened by itself, an SVG is a page: its scripts do not run.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    },
  })
