import type { MetadataRoute } from 'next'
import { brand } from '@/app/_server/brand'

export const dynamic = 'force-dynamic'

/** `/manifest.webmanifest`: what a browser calls this site where it is kept on a home screen. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const { name, line, icon } = await brand()
  return {
    name,
    short_name: name,
    description: line,
    start_url: '/',
    display: 'standalone',
    background_color: '#f8f8f6',
    theme_color: '#f8f8f6',
    icons: [{ src: icon.url, type: icon.type, sizes: 'any' }],
  }
}
