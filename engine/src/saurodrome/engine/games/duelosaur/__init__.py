"""Duelosaur Island: two parks, five dice, one draft."""
