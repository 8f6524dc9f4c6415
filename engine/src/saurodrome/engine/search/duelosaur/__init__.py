"""Search for Duelosaur Island: one sampled world after the other, judged after a round."""
