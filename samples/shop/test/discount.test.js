import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discounted, discountFor } from '../src/discount.js';

test('a few pieces have no discount', () => {
  assert.equal(discountFor(1), 0);
  assert.equal(discountFor(9), 0);
});

test('from 10 pieces on there are 5 percent off', () => {
  assert.equal(discountFor(10), 5);
  assert.equal(discountFor(49), 5);
});

test('from 50 pieces on there are 10 percent off', () => {
  assert.equal(discountFor(50), 10);
});

test('prices are rounded to whole cents', () => {
  assert.equal(discounted(1999, 50), 1799);
});
