import { X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import type { AdminBulkAction } from '@/app/_ui/data/links'
import { ACTION_LOOKS } from './action-looks'

/** As many as the API takes at once. */
const MAX_SELECTED = 1000

interface Props<A extends AdminBulkAction> {
  count: number
  actions: readonly A[]
  busy: boolean
  onAct: (action: A) => void
  onClear: () => void
  /** The bar goes, and the cursor was in it. */
  onCursorLost: () => void
}

/** What can be done with the links that are selected; at the lower edge of the window, so that it stays within reach. */
export function BulkBar<A extends AdminBulkAction>({ count, actions, busy, onAct, onClear, onCursorLost }: Props<A>) {
  const t = useTranslations('linkList')
  const links = useTranslations('links')
  const bar = useRef<HTMLElement>(null)
  const lost = useRef(onCursorLost)
  lost.current = onCursorLost
  // A layout effect: its end comes while the bar is still on the page.
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement)) lost.current()
    }
  }, [])
  const tooMany = count > MAX_SELECTED
  return (
    <section
      ref={bar}
      aria-label={t('bulk.label')}
      className="appear sticky bottom-3 z-20 mt-4 flex flex-wrap items-center gap-2 rounded-card border border-line bg-raised p-2 shadow-lg"
    >
      <p role="status" className="flex-1 pl-2 text-sm font-medium tabular-nums">
        {tooMany ? t('bulk.tooMany', { count, most: MAX_SELECTED }) : t('bulk.selected', { count })}
      </p>
      {/* On a phone the actions go below, all three in a row. */}
      <span className="order-1 basis-full sm:hidden" />
      {actions.map((action) => {
        const { icon: Icon, danger } = ACTION_LOOKS[action]
        const name: AdminBulkAction = action
        const off = busy || tooMany
        return (
          <Button
            key={action}
            size="small"
            className="order-1 aria-disabled:opacity-60 max-sm:flex-1 sm:order-none"
            look={danger ? 'danger' : 'secondary'}
            // Not `disabled`: that would take the cursor away while the job goes on.
            aria-disabled={off}
            onClick={() => !off && onAct(action)}
          >
            <Icon aria-hidden="true" className="size-4 max-sm:hidden" />
            {links(`action.${name}`)}
          </Button>
        )
      })}
      <Button size="small" look="quiet" aria-label={t('bulk.clear')} onClick={onClear}>
        <X aria-hidden="true" className="size-4" />
      </Button>
    </section>
  )
}
