'use client'

import { Toaster } from 'sonner'
import { useTranslations } from '#i18n'

/** Where toasts appear. Long enough to be read and reached by keyboard (Alt+T); they wait while they are. */
export function Toasts() {
  const t = useTranslations('base')
  return (
    <Toaster
      containerAriaLabel={t('notifications')}
      theme="system"
      position="bottom-center"
      duration={10_000}
      gap={8}
      style={{ fontFamily: 'var(--font)' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-control border border-line bg-raised py-2.5 pr-2.5 pl-4 text-sm text-fg shadow-lg sm:w-[22rem]',
          content: 'min-w-0 flex-1',
          title: 'font-medium text-anywhere',
          description: 'text-muted text-anywhere',
          icon: 'hidden',
          actionButton: 'h-9 shrink-0 rounded-control bg-accent-soft px-3.5 font-semibold text-accent',
        },
      }}
    />
  )
}
