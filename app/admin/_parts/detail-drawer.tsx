import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Drawer } from '@/app/_ui/base/dialog'
import { DialogFailure } from '@/app/_ui/base/dialog-failure'
import type { ServerData } from '@/app/_ui/data/server-data'
import { reasonOf } from './reason-of'

interface Props<T> {
  /** What it is called until it has been read. */
  name: string
  resource: ServerData<T>
  head: (value: T) => { title: string; description: ReactNode }
  onClose: () => void
  children: (value: T) => ReactNode
}

/** A drawer that shows something once it is read, and until then or instead what becomes of that. */
export function DetailDrawer<T>({ name, resource: { value, stale, failure, reload }, head, onClose, children }: Props<T>) {
  const t = useTranslations('admin')
  const known = value !== null && !stale
  return (
    <Drawer title={name} {...(known && head(value))} onClose={onClose}>
      {failure ? (
        <DialogFailure message={reasonOf(failure)} onClose={onClose}>
          {failure.kind !== 'gone' && <Button onClick={reload}>{t('tryAgain')}</Button>}
        </DialogFailure>
      ) : known ? (
        children(value)
      ) : (
        <div role="status" aria-label={t('loading')} className="space-y-4">
          {['h-20', 'h-9 w-2/3', 'h-40', 'h-24'].map((size) => (
            <div key={size} className={`skeleton ${size}`} />
          ))}
        </div>
      )}
    </Drawer>
  )
}
