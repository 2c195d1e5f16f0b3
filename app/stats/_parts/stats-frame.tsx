import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { NeedsScripts, WithoutScripts } from '@/app/_ui/base/without-scripts'

interface Props {
  /** Where it was come from. */
  back: string
  /** There is something to see before scripts ask for more. */
  ready: boolean
  children: ReactNode
}

/** What every page of statistics has around them. */
export function StatsFrame({ back, ready, children }: Props) {
  const t = useTranslations('stats')
  return (
    <div className="pt-2 sm:pt-4">
      <Link
        href={back}
        className="-ml-2 inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 text-sm font-medium text-muted hover:text-fg sm:min-h-9"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('page.back')}
      </Link>
      {ready ? (
        <WithoutScripts>
          <p className="my-4 text-sm text-muted">{t('page.withoutScripts')}</p>
        </WithoutScripts>
      ) : (
        <NeedsScripts api className="my-4" />
      )}
      {children}
    </div>
  )
}
