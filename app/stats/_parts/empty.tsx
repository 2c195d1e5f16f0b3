import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'

function Empty({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-line-strong px-5 py-14 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mx-auto mt-1.5 max-w-md text-sm text-muted text-pretty">{text}</p>
      <div className="mt-6 flex flex-wrap items-center justify-center gap-3">{children}</div>
    </div>
  )
}

/** Nobody has come yet. */
export function EmptyLink({ shortUrl }: { shortUrl: string }) {
  const t = useTranslations('stats')
  const inBrowser = useInBrowser()
  const share = async () => {
    // Thrown when the person thought better of it.
    await navigator.share({ url: shortUrl }).catch(() => undefined)
  }
  return (
    <Empty title={t('empty.link.title')} text={t('empty.link.text')}>
      <CopyButton text={shortUrl} name={readableUrl(shortUrl)} />
      {inBrowser && typeof navigator.share === 'function' && <Button onClick={share}>{t('empty.link.share')}</Button>}
    </Empty>
  )
}

interface ViewProps {
  /** These are several links. */
  isMany: boolean
  filtered: boolean
  onAllTime: () => void
  onClearFilters: () => void
}

/** There are clicks, but none in this view. */
export function EmptyView({ isMany, filtered, onAllTime, onClearFilters }: ViewProps) {
  const t = useTranslations('stats')
  const base = useTranslations('base')
  return filtered ? (
    <Empty title={t('empty.filtered.title')} text={t('empty.filtered.text')}>
      <Button look="primary" onClick={onClearFilters}>
        {base('filters.clear')}
      </Button>
      <Button onClick={onAllTime}>{t('range.showAll')}</Button>
    </Empty>
  ) : (
    <Empty title={t('empty.range.title')} text={t(isMany ? 'scope.emptyRange' : 'empty.range.text')}>
      <Button look="primary" onClick={onAllTime}>
        {t('range.showAll')}
      </Button>
    </Empty>
  )
}
