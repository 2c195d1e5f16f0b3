import { CircleQuestionMark } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'

/** What a number or a word means, behind a question mark: by click, tap or key. */
export function Hint({ about, children }: { about: string; children: ReactNode }) {
  const t = useTranslations('base')
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={t('explain', { term: about })}
        className="relative inline-flex size-5 items-center justify-center rounded-full align-[-4px] text-muted after:absolute after:-inset-3 hover:text-fg data-[state=open]:text-accent sm:after:-inset-1"
      >
        <CircleQuestionMark aria-hidden="true" className="size-3.5" />
      </Popover.Trigger>
      <Popover.Content
        aria-label={about}
        align="start"
        sideOffset={6}
        collisionPadding={12}
        className="appear z-30 max-w-[min(20rem,calc(100vw-1.5rem))] rounded-control border border-line bg-raised px-3.5 py-2.5 text-left text-[13px] leading-relaxed font-normal text-fg text-pretty shadow-lg outline-none"
      >
        {children}
      </Popover.Content>
    </Popover.Root>
  )
}
