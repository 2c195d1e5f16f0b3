import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { LinkButton } from './button'

/** A page that has only something to say, and a way on. */
export function Message({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const t = useTranslations('base')
  return (
    <div className="mx-auto max-w-xl pt-16 sm:pt-28">
      <h1 className="text-3xl font-semibold tracking-tight text-balance">{title}</h1>
      <p className="mt-3 text-muted text-pretty">{children}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {action}
        <LinkButton href="/" look={action ? 'secondary' : 'primary'}>
          {t('shorten')}
        </LinkButton>
      </div>
    </div>
  )
}
