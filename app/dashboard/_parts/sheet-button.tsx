import { QrCode } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { onDemand } from '@/app/_ui/base/on-demand'
import type { AnyBulkAction } from '@/app/_ui/data/links'
import type { Bulk } from '@/app/_ui/links/use-bulk'

const SheetDialog = onDemand(() => import('@/app/_ui/links/qr/sheet-dialog').then((module) => module.SheetDialog))

interface Props<A extends AnyBulkAction> {
  bulk: Bulk<A>
  /** Nothing can be done now. */
  off: boolean
}

/** Opens the sheet of QR codes of all links that are selected. */
export function SheetButton<A extends AnyBulkAction>({ bulk, off }: Props<A>) {
  const t = useTranslations('linkList.bulk')
  const [open, setOpen] = useState(false)
  const { count, more } = bulk.count
  return (
    <>
      <Button
        size="small"
        className="order-1 aria-disabled:opacity-60 max-sm:flex-1 sm:order-none"
        aria-haspopup="dialog"
        aria-disabled={off}
        onClick={() => !off && setOpen(true)}
      >
        <QrCode aria-hidden="true" className="size-4 max-sm:hidden" />
        {t('qr')}
      </Button>
      {open && (
        <SheetDialog
          of={bulk.which()}
          title={t('qrTitle')}
          description={bulk.isAll ? t('allSelected', { count, more: more ? 'more' : 'exact' }) : t('selected', { count })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
