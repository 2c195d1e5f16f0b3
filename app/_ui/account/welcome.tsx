'use client'

import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { ClaimCard } from './claim-card'
import { HandleCard } from './handle-card'
import { NarrowPage } from './narrow-page'

interface Props {
  /** In place of a welcome by name. */
  title?: string
  name: string
  handle: string
}

/** Where a new account begins: its handle, this browser's links, and the way on. */
export function Welcome({ title, name, handle }: Props) {
  const t = useTranslations('account.welcome')
  return (
    <NarrowPage title={title ?? t('title', { name })} intro={t('intro')}>
      <HandleCard handle={handle} />
      <ClaimCard className="mt-4" />
      <LinkButton href="/dashboard" look="primary" className="mt-6 w-full sm:w-auto">
        {t('links')}
      </LinkButton>
    </NarrowPage>
  )
}
