import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { useKeys } from '@/app/_ui/base/keys'
import { onDemand } from '@/app/_ui/base/on-demand'
import { useFloor } from '@/app/_ui/base/use-floor'
import type { AnyBulkAction } from '@/app/_ui/data/links'
import { ACTION_LOOKS } from './action-looks'
import type { Bulk } from './use-bulk'

const ConfirmDialog = onDemand(() => import('@/app/_ui/base/confirm-dialog').then((module) => module.ConfirmDialog))

/** As many as the API takes at once. */
const MAX_SELECTED = 1000

interface Props<A extends AnyBulkAction> {
  bulk: Bulk<A>
  actions: readonly A[]
  /** Does what asks for more than a press first; undefined: nothing does. */
  onAct?: (action: A) => boolean
  /** More that can be done, behind the actions. @param off nothing can be done now */
  more?: (off: boolean) => ReactNode
  /** The bar goes, and the cursor was in it. */
  onCursorLost: () => void
}

/**
 * What can be done with the links that are selected; at the lower edge of the window, and for the
 * cursor right after the box that selects all.
 */
export function BulkBar<A extends AnyBulkAction>({ bulk, actions, onAct, more, onCursorLost }: Props<A>) {
  const t = useTranslations('linkList')
  const links = useTranslations('links')
  const bar = useRef<HTMLElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  useFloor(bar)
  useKeys({ escape: bulk.selection.clear })
  const lost = useRef(onCursorLost)
  lost.current = onCursorLost
  // A layout effect: its end comes while the bar is still on the page.
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement)) lost.current()
    }
  }, [])
  const [asking, setAsking] = useState<A | null>(null)
  const { busy, isAll, selectAll } = bulk
  const { count } = bulk.count
  const amount = { count, more: bulk.count.more ? 'more' : 'exact' }
  const tooMany = !isAll && count > MAX_SELECTED
  const act = (action: A) => {
    if (onAct?.(action)) return
    // What is out of sight is done only after a second look.
    if (isAll) setAsking(action)
    else void bulk.start(action)
  }
  return (
    <section
      ref={bar}
      aria-label={t('bulk.label')}
      className="appear fixed inset-x-4 bottom-3 z-20 mx-auto flex max-w-[61rem] flex-wrap items-center gap-2 rounded-card border border-line bg-raised p-2 shadow-lg sm:inset-x-6"
    >
      <p ref={status} tabIndex={-1} role="status" className="flex-1 pl-2 text-sm font-medium tabular-nums">
        {isAll
          ? t('bulk.allSelected', amount)
          : tooMany
            ? t('bulk.tooMany', { count, most: MAX_SELECTED })
            : t('bulk.selected', { count })}
      </p>
      {selectAll && (
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            // The button goes; what it did is said here.
            status.current?.focus()
            selectAll.select()
          }}
        >
          {t('bulk.selectAll', { count: selectAll.total.count, more: selectAll.total.more ? 'more' : 'exact' })}
        </Button>
      )}
      {/* On a phone the actions go below, all three in a row. */}
      <span className="order-1 basis-full sm:hidden" />
      {more?.(busy || tooMany)}
      {actions.map((action) => {
        const { icon: Icon, danger } = ACTION_LOOKS[action]
        const off = busy || tooMany
        return (
          <Button
            key={action}
            size="small"
            className="order-1 aria-disabled:opacity-60 max-sm:flex-1 sm:order-none"
            look={danger ? 'danger' : 'secondary'}
            // Not `disabled`: that would take the cursor away while the job goes on.
            aria-disabled={off}
            onClick={() => !off && act(action)}
          >
            <Icon aria-hidden="true" className="size-4 max-sm:hidden" />
            {links(`action.${name(action)}`)}
          </Button>
        )
      })}
      <Button size="small" look="quiet" aria-label={t('bulk.clear')} onClick={bulk.selection.clear}>
        <X aria-hidden="true" className="size-4" />
      </Button>
      {asking && (
        <ConfirmDialog
          title={t(`bulk.confirm.${name(asking)}`, amount)}
          action={links(`action.${name(asking)}`)}
          danger={ACTION_LOOKS[asking].danger ?? false}
          onConfirm={async () => {
            await bulk.start(asking)
            return null
          }}
          onClose={() => setAsking(null)}
        >
          <p>{t('bulk.confirm.text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

const name = (action: AnyBulkAction) => action
