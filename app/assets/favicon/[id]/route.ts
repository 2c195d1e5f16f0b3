import { runtime } from '@/lib/runtime'

export const dynamic = 'force-dynamic'

/** In place of an icon that a site has not, or has not yet: a globe on a tile that is quiet on light and on dark. */
const GLOBE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="#fff">' +
  '<path d="M0 0h16v16H0z" fill="#7c828c" stroke="none"/>' +
  '<circle cx="8" cy="8" r="5"/><ellipse cx="8" cy="8" rx="2.2" ry="5"/><path d="M3 8h10"/></svg>'

/** The icon of a site that links lead to, by the address that `Favicons.pathFor` gave out. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { favicons } = await runtime()
  // A picture is never worth an error.
  const icon = await favicons.read((await params).id).catch(() => null)
  return icon ? image(new Uint8Array(icon.content), icon.type, 86_400) : image(GLOBE, 'image/svg+xml', 15)
}

const image = (body: BodyInit, type: string, seconds: number) =>
  new Response(body, {
    headers: {
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': `private, max-age=${seconds}`,
      // A stranger's file, which is a picture or nothing.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  })
