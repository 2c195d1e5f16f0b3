import { describe, expect, it } from 'vitest'
import { preferredLanguage } from './language'
import { referrerOf } from './referrer'
import { cut, tidy } from './text'
import { utmOf } from './utm'

describe('the preferred language', () => {
  it.each([
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['pt-BR', 'pt'],
    ['zh-Hant-TW, en;q=0.5', 'zh'],
    ['en;q=0.4, fr;q=0.9, de;q=0.9', 'fr'],
    ['EN-us', 'en'],
    ['da ; q=0.3 , sv; q=0.7', 'sv'],
    ['*, es;q=0.2', 'es'],
    ['gsw-CH, de;q=0.5', 'gsw'],
    ['iw-IL', 'he'],
    ['en;q=0', ''],
    ['en;q=7, fr;q=0.1', 'fr'],
    ['*', ''],
    ['', ''],
    ['x-klingon', ''],
    ['deutsch', ''],
    ['<script>', ''],
    [',,;q=1,', ''],
  ])('of %j is %j', (header, language) => {
    expect(preferredLanguage(header)).toBe(language)
  })
})

describe('the referrer', () => {
  it.each([
    ['https://www.Example.com/a?b=c', 'example.com', 'https://www.Example.com/a?b=c'],
    ['http://news.example.com:8080/', 'news.example.com', 'http://news.example.com:8080/'],
    ['https://example.com./x', 'example.com', 'https://example.com./x'],
    ['https://münchen.example/weg', 'xn--mnchen-3ya.example', 'https://münchen.example/weg'],
    ['https://www.com/', 'www.com', 'https://www.com/'],
    ['https://[2001:db8::1]/x', '[2001:db8::1]', 'https://[2001:db8::1]/x'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm', 'android-app://com.google.android.gm/'],
    ['android-app://com.Slack', 'com.Slack', 'android-app://com.Slack'],
    ['https://example.com/page#token=abc', 'example.com', 'https://example.com/page'],
    ['https://user:secret@example.com/x?y#z', 'example.com', 'https://example.com/x?y'],
    ['https:\\\\user:secret@example.com\\x', 'example.com', 'https://example.com/x'],
    ['http:user:secret@example.com', 'example.com', 'http://example.com/'],
    ['https://example.com/\u0000a\u007fb', 'example.com', 'https://example.com/ab'],
    ['https://example.com/\ud800', 'example.com', 'https://example.com/\ufffd'],
    ['', '', ''],
    ['example.com', '', ''],
    ['https://', '', ''],
    ['about:blank', '', ''],
    ['file:///C:/Users/jane/index.html', '', ''],
    ['javascript:alert(1)', '', ''],
    ['android-app://<x>/', '', ''],
  ])('of %j is %j', (header, referrer, referrerUrl) => {
    expect(referrerOf(header)).toEqual({ referrer, referrerUrl })
  })

  it('is cut, not lost, when it is long', () => {
    const { referrer, referrerUrl } = referrerOf(`https://example.com/?q=${'x'.repeat(5_000)}`)
    expect(referrer).toBe('example.com')
    expect(referrerUrl).toHaveLength(1024)
  })
})

describe('UTM parameters', () => {
  it('are read from the query, decoded and trimmed', () => {
    expect(utmOf('?utm_source=news%20letter&utm_medium=+mail+&x=1&utm_campaign=f%C3%BCr&utm_term=a&utm_content=b')).toEqual({
      utmSource: 'news letter',
      utmMedium: 'mail',
      utmCampaign: 'für',
      utmTerm: 'a',
      utmContent: 'b',
    })
  })

  it('are empty where there are none', () => {
    expect(Object.values(utmOf(''))).toEqual(['', '', '', '', ''])
    expect(Object.values(utmOf('utm_source&%&==&utm_source=later'))).toEqual(['', '', '', '', ''])
  })

  it('lose control characters and are cut to 100 characters, never within a pair', () => {
    expect(utmOf(`utm_source=a%00b%0Ac`).utmSource).toBe('abc')
    expect(utmOf(`utm_source=${'x'.repeat(99)}${encodeURIComponent('😀')}`).utmSource).toBe('x'.repeat(99))
    expect(utmOf(`utm_source=${'x'.repeat(98)}${encodeURIComponent('😀')}`).utmSource).toBe(`${'x'.repeat(98)}😀`)
  })
})

describe('text', () => {
  it('ends in no space where it is cut', () => expect(cut('ab  cd', 4)).toBe('ab'))
  it('keeps pairs and replaces halves', () => expect(tidy(' a\ud83d\ude00\udc00\u0085b ')).toBe('a😀\ufffdb'))
})
