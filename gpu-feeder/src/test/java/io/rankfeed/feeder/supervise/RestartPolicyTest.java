package io.rankfeed.feeder.supervise;

import static io.rankfeed.feeder.supervise.RestartPolicy.Reached.SERVING;
import static io.rankfeed.feeder.supervise.RestartPolicy.Reached.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestartPolicyTest {
    private final RestartPolicy policy = new RestartPolicy();

    @Test
    void killed_withinBudget_restartsAtOnce() {
        for (int kill = 0; kill < RestartPolicy.MAX_KILLS; kill++) {
            assertThat(policy.pauseMillis(137, SERVING, 50)).hasValue(RestartPolicy.FIRST_PAUSE_MILLIS);
            assertThat(policy.exhausted(137)).isEmpty();
        }
        assertThat(policy.pauseMillis(137, SERVING, 50)).isEmpty();
        assertThat(policy.exhausted(137))
                .hasValueSatisfying(why -> assertThat(why).contains("killed 31 times within 10 minutes", "--memory"));
    }

    @Test
    void killed_rarely_restartsAlways() {
        long apart = RestartPolicy.KILLS_WITHIN_MILLIS / RestartPolicy.MAX_KILLS + 1;
        for (int kill = 0; kill < 200; kill++) {
            assertThat(policy.pauseMillis(137, SERVING, apart)).hasValue(RestartPolicy.FIRST_PAUSE_MILLIS);
        }
    }

    @Test
    void firstStart_ended_givesUp() {
        for (int exitCode : new int[] {0, 1, 2, 3, 4}) {
            assertThat(new RestartPolicy().pauseMillis(exitCode, STARTING, 60_000))
                    .isEmpty();
        }
    }

    @Test
    void killed_beforeServing_retriesForAWhile() {
        for (int failure = 1; failure < RestartPolicy.MAX_FAILURES; failure++) {
            assertThat(policy.pauseMillis(137, STARTING, 60_000)).hasValue(200L << failure);
        }
        assertThat(policy.pauseMillis(137, STARTING, 60_000)).isEmpty();
    }

    @Test
    void ended_afterEarlierServed_retriesForAWhile() {
        assertThat(policy.pauseMillis(137, SERVING, 50)).hasValue(RestartPolicy.FIRST_PAUSE_MILLIS);
        for (int failure = 1; failure < RestartPolicy.MAX_FAILURES; failure++) {
            assertThat(policy.pauseMillis(4, STARTING, 100)).hasValue(200L << failure);
        }
        assertThat(policy.pauseMillis(4, STARTING, 100)).isEmpty();
    }

    @Test
    void crashed_onceServing_givesUp() {
        for (int failure = 1; failure < RestartPolicy.MAX_FAILURES; failure++) {
            assertThat(policy.pauseMillis(134, SERVING, 100)).isPresent();
        }
        assertThat(policy.pauseMillis(134, SERVING, 100)).isEmpty();
    }

    @Test
    void failures_afterLongServing_areForgotten() {
        for (int round = 0; round < 10; round++) {
            assertThat(policy.pauseMillis(1, SERVING, 100)).isPresent();
            assertThat(policy.pauseMillis(1, SERVING, 100)).isPresent();
            assertThat(policy.pauseMillis(1, SERVING, RestartPolicy.PROVEN_MILLIS))
                    .hasValue(RestartPolicy.FIRST_PAUSE_MILLIS);
        }
    }

    @Test
    void configurationError_isNotRetried() {
        assertThat(policy.pauseMillis(2, STARTING, 10)).isEmpty();
        assertThat(policy.pauseMillis(3, SERVING, 1_000_000)).isEmpty();
    }
}
