import { expect, it } from 'vitest';
import { exampleResult, timeIn } from './example.js';

it('the weather is that of the city, and in the unit that is asked for', () => {
  const paris = exampleResult('get_weather', '{"city":"Paris"}');
  expect(paris).toMatch(/^Paris: .*, -?\d+ degrees Celsius$/);
  expect(exampleResult('get_weather', '{"city":"Paris"}')).toBe(paris);
  expect(exampleResult('get_weather', '{"city":"Beijing"}').slice(9)).not.toBe(paris.slice(7));
  expect(exampleResult('get_weather', '{"city":"Paris","unit":"fahrenheit"}')).toMatch(
    /^Paris: .* degrees Fahrenheit$/,
  );
});

it('the time is that of the city', () => {
  const noon = new Date('2026-01-15T12:00:00Z');
  expect(timeIn('Beijing', noon)).toBe('Beijing: 20:00 (Asia/Shanghai)');
  expect(timeIn('new york', noon)).toBe('new york: 07:00 (America/New_York)');
  expect(timeIn('Atlantis', noon)).toBe('error: no time zone is known for Atlantis');
});

it('arguments that are missing or no JSON are an error of the tool', () => {
  expect(exampleResult('get_weather', '{')).toBe('error: no city was given');
  expect(exampleResult('get_time', '{"city":7}')).toBe('error: no city was given');
});

it('a tool of one’s own gives back what it was given', () => {
  expect(exampleResult('look', '{"at":[1,2]}')).toBe('{"ok":true,"given":{"at":[1,2]}}');
  expect(exampleResult('constructor', '')).toBe('{"ok":true,"given":{}}');
});
