import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { getTranslations } from '@/app/_server/locale'
import { Message } from '@/app/_ui/base/message'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('base')
  return { title: t('notFound.title'), robots: { index: false } }
}

/** @param action where to go from here, but for the front page */
export default function NotFound({ action }: { action?: ReactNode }) {
  const t = useTranslations('base')
  return (
    <Message title={t('notFound.title')} action={action}>
      {t('notFound.text')}
    </Message>
  )
}
