package io.rankfeed.job.mixture;

import io.rankfeed.sampling.mixture.MixtureMember;
import io.rankfeed.sampling.mixture.MixturePlanner;
import io.rankfeed.sampling.mixture.MixtureRequest;
import io.rankfeed.sampling.mixture.PlannedMixture;
import io.rankfeed.sampling.plan.StageEnd;
import io.rankfeed.schema.config.BadValue;
import io.rankfeed.schema.config.Default;
import io.rankfeed.schema.config.Range;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.order.OrderLimits;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file of a mixture (docs/how-to/mixtures.md).
 *
 * @param members by the name that weights have for them
 * @param weights of the members for the whole run; or
 * @param stages with weights of their own
 * @param feed the name of the mixture's feed, by which trainers ask for it
 * @param batch rows of a global batch, a multiple of the greatest common divisor of the members' lanes
 * @param rows of an epoch; or
 * @param passOf the member that an epoch is one pass of
 * @param onEnd what happens when the mixture has taken all rows that a member's own plan has
 * @param fill values of columns that some member lacks
 */
public record MixtureFile(
        Map<String, MixtureSource> members,
        @Default("{}") Map<String, BigDecimal> weights,
        @Default("[]") List<MixtureStage> stages,
        @Default("train") String feed,
        @Range(min = 1, max = OrderLimits.MAX_BATCH) int batch,
        @Default("1") @Range(min = 1, max = 1 << 20) int epochs,
        @Range(min = 1) Optional<Long> rows,
        Optional<String> passOf,
        @Default("0") @Range(min = 0) long seed,
        @Default("repeat") MixtureRequest.OnEnd onEnd,
        @Default("{}") Map<String, Fill> fill) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    public MixtureFile {
        if (members.isEmpty()) {
            throw new BadValue("members", "has no member; name the versions, as in {web: data/pages@latest}");
        }
        for (String name : members.keySet()) {
            requireName("members." + name, name);
        }
        requireName("feed", feed);
        if (weights.isEmpty() == stages.isEmpty()) {
            throw new BadValue(
                    weights.isEmpty() ? "" : "stages",
                    weights.isEmpty()
                            ? "the members have no weights; write weights: {NAME: NUMBER}, or stages"
                            : "excludes weights; give each stage its own weights");
        }
        for (String name : members.keySet()) {
            boolean isWeighted = weights.containsKey(name)
                    || stages.stream().anyMatch(stage -> stage.weights().containsKey(name));
            if (!isWeighted) {
                List<String> unknown = Stream.concat(
                                weights.keySet().stream(),
                                stages.stream().flatMap(stage -> stage.weights().keySet().stream()))
                        .filter(word -> !members.containsKey(word))
                        .toList();
                throw new BadValue(
                        weights.isEmpty() ? "stages" : "weights",
                        Suggestion.nearest(name, unknown)
                                .map(word -> "unknown member '" + word + "'; did you mean '" + name + "'?")
                                .orElse("does not name member '" + name
                                        + "'; give it a weight, or remove it from members"));
            }
        }
        if (rows.isPresent() == passOf.isPresent()) {
            throw new BadValue(
                    rows.isPresent() ? "pass-of" : "",
                    rows.isPresent()
                            ? "excludes rows; an epoch has one length"
                            : "the length of an epoch is missing; write rows, or pass-of: MEMBER");
        }
    }

    private static void requireName(String key, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new BadValue(key, "'" + name + "' does not have the form " + NAME.pattern());
        }
    }

    /**
     * Plans the mixture.
     *
     * @param orders the feed of each member, over its version
     * @throws io.rankfeed.schema.failure.ConfigException if settings and members do not fit together
     */
    public PlannedMixture plan(Map<String, TrainFeed> orders) {
        List<MixtureMember> all = orders.entrySet().stream()
                .map(member -> new MixtureMember(member.getKey(), member.getValue()))
                .toList();
        return MixturePlanner.plan(new MixtureRequest(
                feed,
                seed,
                batch,
                epochs,
                rows.<MixtureRequest.Epoch>map(MixtureRequest.Epoch.Rows::new)
                        .orElseGet(() -> new MixtureRequest.Epoch.PassOf(passOf.orElseThrow())),
                onEnd,
                all,
                stages.isEmpty()
                        ? List.of(new MixtureRequest.Stage(new StageEnd.Run(), weights))
                        : stages.stream()
                                .map(stage -> new MixtureRequest.Stage(stage.end(), stage.weights()))
                                .toList()));
    }

    /** The weights of a member, stage after stage. */
    public List<BigDecimal> weights(String member) {
        return stages.isEmpty()
                ? List.of(weights.getOrDefault(member, BigDecimal.ZERO))
                : stages.stream()
                        .map(stage -> stage.weights().getOrDefault(member, BigDecimal.ZERO))
                        .toList();
    }

    /** The elements of the values of columns. */
    public Map<String, List<String>> fillValues() {
        Map<String, List<String>> values = new TreeMap<>();
        fill.forEach((column, value) -> values.put(column, value.all()));
        return values;
    }
}
