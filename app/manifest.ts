import type { MetadataRoute } from 'next'
import { brand } from '@/app/_server/brand'
import { getTranslations } from '@/app/_server/locale'
import { type PngIcon, pngIconUrl } from '@/lib/brand/icon-png'

export const dynamic = 'force-dynamic'

/** `/manifest.webmanifest`: what this site is called and does where it is kept on a home screen. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const site = await brand()
  const { name, icon, mark } = site
  const t = await getTranslations('base')
  const png = (file: PngIcon, size: number, purpose: 'any' | 'maskable') =>
    ({ src: pngIconUrl(file, site), type: 'image/png', sizes: `${size}x${size}`, purpose }) as const
  const ours = [png('icon-192.png', 192, 'any'), png('icon-512.png', 512, 'any'), png('maskable-512.png', 512, 'maskable')]
  return {
    id: '/',
    name,
    short_name: name,
    description: t('footer.line', { name }),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    // A manifest knows one scheme; the pages say theirs themselves.
    background_color: '#f8f8f6',
    theme_color: '#f8f8f6',
    icons: [{ src: icon.url, type: icon.type, sizes: mark?.side ? `${mark.side}x${mark.side}` : 'any' }, ...(mark ? [] : ours)],
    shortcuts: [
      { name: t('shorten'), url: '/' },
      { name: t('menu.links'), url: '/dashboard' },
    ],
    // By GET: what was shared is filled in, and nothing is created before somebody presses the button.
    share_target: {
      action: '/',
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  }
}
