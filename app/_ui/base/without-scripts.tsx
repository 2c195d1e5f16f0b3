import type { ComponentProps, ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Button, buttonClass } from './button'
import { Field, inputClass } from './field'

/** Of what only scripts bring to life: `NoScriptStyle` takes it off a page where none run. */
export const SCRIPTS_ONLY = 'scripts-only'

/** For the head of every page. */
export function NoScriptStyle() {
  return (
    <noscript>
      <style>{`.${SCRIPTS_ONLY},.skeleton{display:none!important}body noscript{display:contents}`}</style>
    </noscript>
  )
}

/** Shown only where no scripts run. A style of its own would show its markup, as text, where they do. */
export function WithoutScripts({ children }: { children: ReactNode }) {
  return <noscript>{children}</noscript>
}

/** For a page that needs scripts. @param api what is done there can be done by the API too */
export function NeedsScripts({ api = false, className = 'mb-6' }: { api?: boolean | undefined; className?: string }) {
  const t = useTranslations('base.noScripts')
  return (
    <WithoutScripts>
      <p className={`rounded-control bg-warn-soft p-4 text-sm text-warn ${className}`}>
        {api ? t.rich('withApi', { link: (text) => <a href="/docs">{text}</a> }) : t('needed')}
      </p>
    </WithoutScripts>
  )
}

/** A button, and where no scripts run a link to where the same can be done. */
export function ButtonOrLink({ href, look, className, children, ...button }: ComponentProps<typeof Button> & { href: string }) {
  return (
    <>
      <Button look={look ?? 'secondary'} className={`${SCRIPTS_ONLY} ${className ?? ''}`} {...button}>
        {children}
      </Button>
      <WithoutScripts>
        <a href={href} className={buttonClass(look, className)}>
          {children}
        </a>
      </WithoutScripts>
    </>
  )
}

/** Text to be selected and copied, for where no scripts run. */
export function CopyByHand({ label, text, hint }: { label: string; text: string; hint?: string }) {
  return (
    <Field label={label} hint={hint}>
      {(control) => <input {...control} readOnly value={text} className={`${inputClass} font-mono sm:text-sm`} />}
    </Field>
  )
}
