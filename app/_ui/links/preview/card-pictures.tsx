import { ImageIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import type { Card } from '@/lib/previews/values'
import { parseUrl } from '@/lib/tools/url'

interface Props {
  card: Card
  /** Of the short link. */
  host: string
}

/** How Slack, X and WhatsApp show a card. The image itself stays where it is: nobody's browser asks a stranger for it here. */
export function CardPictures({ card, host }: Props) {
  const t = useTranslations('links.preview')
  const title = card.title.trim() || t('untitled')
  const image = card.image ? <Image url={card.image} /> : null
  return (
    <section aria-label={t('picture')}>
      <p className="mb-2 text-sm font-medium">{t('picture')}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Picture name={t('slack')} className="sm:col-span-2">
          <div className="border-l-4 border-line-strong pl-3">
            <p className="text-[13px] text-muted text-anywhere">{host}</p>
            <p className="line-clamp-2 text-[15px] font-semibold text-accent text-anywhere">{title}</p>
            <p className="line-clamp-3 text-sm text-anywhere">{card.description}</p>
            {image && <div className="mt-2 max-w-80 overflow-hidden rounded-control border border-line">{image}</div>}
          </div>
        </Picture>
        <Picture name={t('x')}>
          <div className="overflow-hidden rounded-2xl border border-line">
            {image && <div className="border-b border-line">{image}</div>}
            <div className="px-3 py-2">
              <p className="truncate text-[13px] text-muted">{host}</p>
              <p className="truncate text-[15px]">{title}</p>
              {!image && <p className="line-clamp-2 text-[13px] text-muted text-anywhere">{card.description}</p>}
            </div>
          </div>
        </Picture>
        <Picture name={t('whatsapp')}>
          <div className="overflow-hidden rounded-xl bg-accent-soft p-1">
            <div className="overflow-hidden rounded-lg bg-surface">
              {image}
              <div className="px-2.5 py-2">
                <p className="line-clamp-2 text-sm font-semibold text-anywhere">{title}</p>
                <p className="line-clamp-1 text-[13px] text-muted text-anywhere">{card.description}</p>
                <p className="truncate text-xs text-muted">{host}</p>
              </div>
            </div>
          </div>
        </Picture>
      </div>
    </section>
  )
}

function Picture({ name, className = '', children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <figure className={`min-w-0 ${className}`}>
      <figcaption className="mb-1.5 text-[13px] text-muted">{name}</figcaption>
      {children}
    </figure>
  )
}

function Image({ url }: { url: string }) {
  const t = useTranslations('links.preview')
  const host = parseUrl(url)?.host ?? parseUrl(`https://${url}`)?.host ?? url
  return (
    <div className="flex aspect-[1.91] flex-col items-center justify-center gap-1 bg-bg px-3 text-muted">
      <ImageIcon aria-hidden="true" className="size-6" />
      <span className="max-w-full truncate text-xs">{t('imageFrom', { host })}</span>
    </div>
  )
}
