'use client'

import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('base.error')
  return (
    <Message
      title={t('title')}
      action={
        <Button look="primary" onClick={reset}>
          {t('again')}
        </Button>
      }
    >
      {t('text')}{' '}
      {error.digest &&
        t.rich('reference', { reference: error.digest, code: (text) => <code className="font-mono">{text}</code> })}
    </Message>
  )
}
