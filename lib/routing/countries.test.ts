import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/i18n/languages'
import { Countries } from './countries'

describe('a country', () => {
  it.each(Object.keys(LANGUAGES))('is found by its name in %s, in English, and by its code', (locale) => {
    const countries = new Countries(locale)
    expect(countries.all.length).toBeGreaterThan(240)
    for (const code of ['DE', 'FR', 'MM', 'CI', 'HK', 'XK']) {
      const name = countries.nameOf(code)
      expect(name).not.toBe(code)
      expect(countries.all).toContain(name)
      expect(countries.codeOf(name)).toBe(code)
      expect(countries.codeOf(name.toUpperCase())).toBe(code)
    }
    expect(['Germany', 'de', 'DE'].map((typed) => countries.codeOf(typed))).toEqual(['DE', 'DE', 'DE'])
  })

  it('that nobody knows stays as it was typed', () => {
    const countries = new Countries('de')
    expect(countries.codeOf('Österreich')).toBe('AT')
    expect(['Atlantis', 'Deutschl'].map((typed) => countries.codeOf(typed))).toEqual(['Atlantis', 'Deutschl'])
    expect(countries.nameOf('Atlantis')).toBe('Atlantis')
    for (const none of ['European Union', 'Unknown Region', 'Pseudo-Accents']) expect(countries.codeOf(none)).toBe(none)
  })
})
