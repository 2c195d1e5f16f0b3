'use client'

import { useTranslations } from '#i18n'
import { inputClass } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import { Countries } from '@/lib/routing/countries'
import type { Condition, DateCondition, QueryCondition, TimeCondition } from '@/lib/routing/rules'
import { SOFTWARE, unknownOf } from '@/lib/routing/software'
import { DEVICES } from '@/lib/routing/values'
import { ListInput } from './list-input'
import { Toggles } from './toggles'

interface Props<C extends Condition = Condition> {
  condition: C
  isWrong: boolean
  onChange: (condition: C) => void
}

/** What a condition wants, in two columns where there is room: beside what it asks about, and below. */
export function ConditionFields({ condition, isWrong, onChange }: Props) {
  const t = useTranslations('links.routing')
  switch (condition.of) {
    case 'date':
      return <DateFields condition={condition} isWrong={isWrong} onChange={onChange} />
    case 'time':
      return <TimeFields condition={condition} isWrong={isWrong} onChange={onChange} />
    case 'query':
      return <QueryFields condition={condition} isWrong={isWrong} onChange={onChange} />
    case 'device':
      return (
        <>
          <Not condition={condition} onChange={onChange} />
          <Toggles
            label={t('of.device')}
            className="sm:col-span-2"
            options={DEVICES.map((value) => ({ value, label: t(`device.${value}`) }))}
            chosen={condition.in}
            onChange={(values) => onChange({ ...condition, in: values })}
          />
        </>
      )
    default: {
      const { of } = condition
      return (
        <>
          <Not condition={condition} onChange={onChange} />
          <ListInput
            className="sm:col-span-2"
            label={t('values', { name: t(`of.${of}`) })}
            placeholder={t(`example.${of}`)}
            values={condition.in}
            isWrong={isWrong}
            {...((of === 'os' || of === 'browser') && {
              suggested: SOFTWARE[of],
              warn: (values: readonly string[]) => {
                const names = unknownOf(of, values)
                return names.length > 0 ? t('unknownNames', { names: names.join(', ') }) : undefined
              },
            })}
            {...(of === 'country' && countryProps(t))}
            change={of === 'country' ? codeOf : of === 'language' || of === 'referrer' ? lower : undefined}
            onChange={(values) => onChange({ ...condition, in: values })}
          />
        </>
      )
    }
  }
}

const codeOf = (text: string) => countries().codeOf(text)
const isCode = (value: string) => /^[A-Z]{2}$/.test(value)

let known: { language: string; countries: Countries } | null = null
/** By the language of the page. This editor is never there without scripts. */
function countries(): Countries {
  const language = document.documentElement.lang
  if (known?.language !== language) known = { language, countries: new Countries(language) }
  return known.countries
}

/** Countries are chosen by their names, and kept by their codes. */
const countryProps = (t: ReturnType<typeof useTranslations<'links.routing'>>) => ({
  show: (code: string) => countries().nameOf(code),
  suggested: countries().all,
  warn: (values: readonly string[]) => {
    const unknown = values.filter((value) => !isCode(value))
    return unknown.length > 0 ? t('unknownCountries', { names: unknown.join(', ') }) : undefined
  },
})

const lower = (text: string) => text.toLowerCase()

type Deniable = Exclude<Condition, DateCondition | TimeCondition>

function Not<C extends Deniable>({ condition, onChange }: Pick<Props<C>, 'condition' | 'onChange'>) {
  const t = useTranslations('links.routing')
  return (
    <Select
      label={t('compare')}
      value={condition.not ? 'not' : 'is'}
      options={(['is', 'not'] as const).map((value) => ({ value, label: t(`compareWith.${value}`) }))}
      onChange={(value) => {
        const { not: _, ...rest } = condition
        onChange((value === 'not' ? { ...rest, not: true } : rest) as C)
      }}
    />
  )
}

function QueryFields({ condition, isWrong, onChange }: Props<QueryCondition>) {
  const t = useTranslations('links.routing')
  return (
    <>
      <input
        aria-label={t('parameter')}
        placeholder={t('parameter')}
        autoCapitalize="none"
        autoComplete="off"
        aria-invalid={isWrong ? true : undefined}
        value={condition.name}
        onChange={({ currentTarget }) => onChange({ ...condition, name: currentTarget.value })}
        className={inputClass}
      />
      <Not condition={condition} onChange={onChange} />
      <ListInput
        className="min-w-0"
        label={t('values', { name: t('of.query') })}
        placeholder={t('anyValue')}
        values={condition.in ?? []}
        isWrong={isWrong}
        onChange={(values) => {
          const { in: _, ...rest } = condition
          onChange(values.length > 0 ? { ...rest, in: values } : rest)
        }}
      />
    </>
  )
}

function DateFields({ condition, isWrong, onChange }: Props<DateCondition>) {
  const t = useTranslations('links.routing')
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="text-[13px] text-muted">
          {t(`end.${end}`)}
          <input
            type="datetime-local"
            aria-invalid={isWrong ? true : undefined}
            value={toLocalInput(condition[end] ?? null)}
            onChange={({ currentTarget }) => {
              const { [end]: _, ...rest } = condition
              const time = fromLocalInput(currentTarget.value)
              onChange(time === null ? rest : { ...rest, [end]: time })
            }}
            className={inputClass}
          />
        </label>
      ))}
    </div>
  )
}

/** Monday to Sunday: 1 January 2024 was a Monday. */
const DAYS = [1, 2, 3, 4, 5, 6, 7]
const dayName = (day: number, language: string) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

function TimeFields({ condition, isWrong, onChange }: Props<TimeCondition>) {
  const t = useTranslations('links.routing')
  const language = document.documentElement.lang
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <Toggles
        label={t('days')}
        className="sm:col-span-2"
        options={DAYS.map((day) => ({ value: String(day), label: dayName(day, language) }))}
        chosen={(condition.days ?? DAYS).map(String)}
        onChange={(chosen) => {
          const { days: _, ...rest } = condition
          onChange(chosen.length === DAYS.length ? rest : { ...rest, days: chosen.map(Number).sort() })
        }}
      />
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="text-[13px] text-muted">
          {t(`end.${end}`)}
          <input
            type="time"
            aria-invalid={isWrong ? true : undefined}
            value={condition[end] ?? ''}
            onChange={({ currentTarget }) => {
              const { [end]: _, ...rest } = condition
              onChange(currentTarget.value === '' ? rest : { ...rest, [end]: currentTarget.value.slice(0, 5) })
            }}
            className={inputClass}
          />
        </label>
      ))}
      <label className="text-[13px] text-muted sm:col-span-2">
        {t('zone')}
        <input
          value={condition.zone}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isWrong ? true : undefined}
          onChange={({ currentTarget }) => onChange({ ...condition, zone: currentTarget.value })}
          className={inputClass}
        />
      </label>
    </div>
  )
}
