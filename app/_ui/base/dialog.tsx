import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button'
import { useOpener } from './use-opener'

interface Props {
  title: string
  /** A line under the title, read out with it. */
  description?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A modal dialog, open while it is rendered; on a small screen a sheet at the lower edge. */
export function Dialog({ title, description, onClose, children }: Props) {
  const restoreFocus = useOpener()
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          onCloseAutoFocus={restoreFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={
            'appear fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-card bg-raised p-5 shadow-2xl ' +
            'sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[min(32rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:-translate-y-1/2 ' +
            'sm:rounded-card sm:border sm:border-line sm:p-6'
          }
        >
          <div className="mb-4 flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold text-anywhere">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-0.5 text-sm text-muted text-anywhere">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton icon={X} label="Close" hint="Close" className="-mt-2 -mr-2" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
