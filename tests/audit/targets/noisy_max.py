"""Report-noisy-max and permute-and-flip by noise that is compared; the faulty ones are wrong by little."""

from typing import Any

import numpy as np


def laplace(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    noise = np.random.default_rng().laplace(scale=2 * sensitivity / epsilon, size=len(utilities[item]))
    return int(np.argmax(np.array(utilities[item]) + noise))


def a_millionth_more(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    return laplace(item, utilities, sensitivity, epsilon * (1 + 1e-6))


def one_noise_smaller(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    scale = 2 * sensitivity / epsilon
    noise = np.random.default_rng().laplace(scale=[scale, scale, scale * (1 - 1e-6)])
    return int(np.argmax(np.array(utilities[item]) + noise))


def exponential(item: int, utilities: Any, sensitivity: float, epsilon: float) -> int:
    noise = np.random.default_rng().exponential(2 * sensitivity / epsilon, len(utilities[item]))
    return int((np.array(utilities[item]) + noise).argmax())
