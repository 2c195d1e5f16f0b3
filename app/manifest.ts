import type { MetadataRoute } from 'next'
import { brand } from '@/app/_server/brand'
import { getTranslations } from '@/app/_server/locale'

export const dynamic = 'force-dynamic'

/** `/manifest.webmanifest`: what a browser calls this site where it is kept on a home screen. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const { name, icon } = await brand()
  const t = await getTranslations('base')
  return {
    name,
    short_name: name,
    description: t('footer.line', { name }),
    start_url: '/',
    display: 'standalone',
    background_color: '#f8f8f6',
    theme_color: '#f8f8f6',
    icons: [{ src: icon.url, type: icon.type, sizes: 'any' }],
  }
}
