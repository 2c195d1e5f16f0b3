'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { onDemand } from '@/app/_ui/base/on-demand'
import { PageHead } from '@/app/_ui/base/page-head'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { toast } from '@/app/_ui/base/toast'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { deleteSeries, listSeries } from '@/app/_ui/data/series'
import { useServerData } from '@/app/_ui/data/server-data'
import type { SeriesView } from '@/lib/series/schemas'
import { LinksDialog } from './links-dialog'
import { NewSeriesDialog } from './new-series-dialog'
import { NumbersDialog } from './numbers-dialog'
import { SeriesCard } from './series-card'

const SheetDialog = onDemand(() => import('@/app/_ui/links/qr/sheet-dialog').then((module) => module.SheetDialog))

type Open = { dialog: 'new' } | { dialog: 'numbers' | 'links' | 'sheet' | 'delete'; series: SeriesView }

interface Props {
  /** Short numbers cannot be back-halves on the domain that links are put on. */
  keepsNumbers: boolean
}

/** Series of numbers of the account. */
export function SeriesPage({ keepsNumbers }: Props) {
  const t = useTranslations('series')
  const { value, failure, reload } = useServerData(['series'], listSeries)
  const [open, setOpen] = useState<Open | null>(null)
  const client = useQueryClient()
  const close = () => {
    setOpen(null)
    // What is left may have changed.
    void client.invalidateQueries({ queryKey: ['series'] })
  }
  const create = (
    <Button look="primary" className={SCRIPTS_ONLY} onClick={() => setOpen({ dialog: 'new' })}>
      <Plus aria-hidden="true" className="-ml-1 size-[18px]" />
      {t('create')}
    </Button>
  )
  const isEmpty = value?.series.length === 0
  return (
    <>
      <PageHead title={t('title')}>{!isEmpty && create}</PageHead>
      {failure && <FailureNotice failure={failure} stale={value !== null} onAgain={reload} />}
      {isEmpty ? (
        <div className="rounded-card border border-dashed border-line-strong">
          <EmptyState title={t('empty.title')} text={t('empty.text')}>
            {create}
          </EmptyState>
        </div>
      ) : value ? (
        <ul aria-label={t('title')} className="grid gap-4 md:grid-cols-2">
          {value.series.map((series) => (
            <SeriesCard
              key={series.name}
              series={series}
              keepsNumbers={keepsNumbers}
              onOpen={(dialog) => setOpen({ dialog, series })}
            />
          ))}
        </ul>
      ) : (
        !failure && (
          <div role="status" aria-label={t('loading')}>
            <Skeletons count={2} height="h-40" className="grid gap-4 md:grid-cols-2" />
          </div>
        )
      )}
      {open?.dialog === 'new' && <NewSeriesDialog keepsNumbers={keepsNumbers} onCreated={reload} onClose={close} />}
      {open?.dialog === 'numbers' && <NumbersDialog series={open.series} onClose={close} />}
      {open?.dialog === 'links' && <LinksDialog series={open.series} onClose={close} />}
      {open?.dialog === 'sheet' && (
        <SheetDialog
          of={{ series: open.series.name }}
          title={t('sheet.title', { name: open.series.name })}
          description={t('sheet.text')}
          onClose={close}
        />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={t('delete.title', { name: open.series.name })}
          action={t('delete.confirm')}
          danger
          onConfirm={async () => {
            const result = await deleteSeries(open.series.name)
            if (!result.ok) return result.failure.message
            reload()
            toast(t('delete.done', { name: open.series.name }))
            return null
          }}
          onClose={close}
        >
          {t('delete.text')}
        </ConfirmDialog>
      )}
    </>
  )
}
