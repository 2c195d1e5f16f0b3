import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { IconButton } from './button'
import { cx } from './cx'
import { isInToast } from './toast'
import { useOpener } from './use-opener'

interface Props {
  title: string
  /** A line under the title, read out with it. */
  description?: ReactNode
  /** null while it shows what is shown only once: nothing but a button of its own closes it then. */
  onClose: (() => void) | null
  /** Called when it has gone, and the cursor is where it was before. */
  onClosed?: () => void
  children: ReactNode
}

/** A modal dialog, open while it is rendered; on a small screen a sheet at the lower edge. */
export function Dialog(props: Props) {
  return (
    <Modal
      {...props}
      className={
        'appear inset-x-0 bottom-0 max-h-[92dvh] rounded-t-card sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[min(32rem,calc(100vw-2rem))] ' +
        'sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card sm:border sm:border-line'
      }
    />
  )
}

/** A modal dialog at the side, open while it is rendered; on a small screen it takes the whole of it. */
export function Drawer(props: Props) {
  return <Modal {...props} className="slide-in inset-0 sm:left-auto sm:w-[30rem] sm:border-l sm:border-line" />
}

/** A modal dialog at the upper edge, whose first control says what it is for: its title is only read out. */
export function TopDialog(props: Omit<Props, 'description'>) {
  return (
    <Modal
      {...props}
      bare
      className={
        'appear inset-x-0 top-0 max-h-dvh rounded-b-card sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:w-[min(38rem,calc(100vw-2rem))] ' +
        'sm:-translate-x-1/2 sm:rounded-card sm:border sm:border-line'
      }
    />
  )
}

interface ModalProps extends Props {
  className: string
  /** Without a head and a margin. */
  bare?: boolean
}

function Modal({ title, description, onClose, onClosed, className, bare = false, children }: ModalProps) {
  const restoreFocus = useOpener()
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose?.()}>
      <Radix.Portal>
        {/* As high as dialogs are, so that it dims the dialog that this one was opened from. */}
        <Radix.Overlay className="fixed inset-0 z-50 bg-black/50" />
        <Radix.Content
          onInteractOutside={(event) => isInToast(event.target) && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            restoreFocus(event)
            onClosed?.()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx('fixed z-50 overflow-y-auto bg-raised shadow-2xl', !bare && 'p-5 sm:p-6', className)}
        >
          {bare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <Head title={title} description={description} onClose={onClose} />
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Head({ title, description, onClose }: Pick<Props, 'title' | 'description' | 'onClose'>) {
  const t = useTranslations('base.action')
  return (
    <div className="mb-4 flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-lg font-semibold text-anywhere">{title}</Radix.Title>
        {description && <Radix.Description className="mt-0.5 text-sm text-muted text-anywhere">{description}</Radix.Description>}
      </div>
      {onClose && (
        <Radix.Close asChild>
          <IconButton icon={X} label={t('close')} hint={t('close')} className="-mt-2 -mr-2" />
        </Radix.Close>
      )}
    </div>
  )
}
