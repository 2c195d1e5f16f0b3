'use client'

import { type ChangeEvent, useState } from 'react'
import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { Field, inputClass } from '@/app/_ui/base/field'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import { write } from '@/app/_ui/data/words'
import { codeProblem, likelyProblemOn, normalCode } from '@/lib/codes/custom'
import type { ShortHost } from '@/lib/domains/short-host'

interface Props {
  /** The first is the default. */
  hosts: readonly ShortHost[]
  field: FormState['field']
  typed: Typed
}

/** The address of a new link: its back-half, and its domain where there are several. */
export function NewAddress({ hosts, field, typed }: Props) {
  const t = useTranslations('links.field')
  const { error, ...domain } = field('domain')
  return (
    <>
      <CodeField host={hostIn(typed, hosts)} field={field} />
      {hosts.length > 1 && (
        <Field label={t('domain')} error={error}>
          {(control) => (
            <select {...control} {...domain} className={inputClass}>
              {hosts.map(({ domain, shown }, index) => (
                <option key={domain} value={index === 0 ? '' : domain}>
                  {shown}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  )
}

/** The domain that is selected. */
export const hostIn = (typed: Typed, hosts: readonly ShortHost[]): ShortHost | undefined =>
  hosts.find(({ domain }) => domain === typed.get('domain')) ?? hosts[0]

/** The whole of the short link that is being typed; null while its back-half is left to chance, or cannot be. */
export function addressIn(typed: Typed, hosts: readonly ShortHost[]): string | null {
  const code = normalCode(typed.get('code')?.trim() ?? '')
  const host = hostIn(typed, hosts)
  return host && code && !problemOf(code, host) ? new URL(`./${code}`, host.url).href : null
}

const problemOf = (code: string, host: ShortHost | undefined) => codeProblem(code) ?? likelyProblemOn(code, host ?? {})

function CodeField({ host, field }: { host: ShortHost | undefined; field: FormState['field'] }) {
  const t = useTranslations('links.field')
  const { error, onChange, ...input } = field('code')
  const [live, setLive] = useState<string | null>(null)
  const check = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onChange()
    const code = normalCode(currentTarget.value.trim())
    const problem = code ? problemOf(code, host) : null
    setLive(problem && write(problem))
  }
  return (
    <Field label={t('code')} error={error ?? live ?? undefined} hint={t(host?.ignoresCase ? 'codeHintSame' : 'codeHint')}>
      {(control) => (
        <div
          className={cx(
            'flex items-center rounded-control border bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
            control['aria-invalid'] ? 'border-danger focus-within:outline-danger' : 'border-line-strong',
          )}
        >
          <span
            className="max-w-[50%] shrink-0 truncate pl-3 text-base leading-6 text-muted sm:text-[15px]"
            id={`${control.id}-host`}
          >
            {host?.shown}/
          </span>
          <input
            {...control}
            aria-describedby={cx(`${control.id}-host`, control['aria-describedby'])}
            {...input}
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            placeholder={t('codePlaceholder')}
            onChange={check}
            className="h-[42px] w-full min-w-0 bg-transparent pr-3 text-base leading-6 outline-none sm:h-[38px] sm:text-[15px]"
          />
        </div>
      )}
    </Field>
  )
}
