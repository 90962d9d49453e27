package io.rankfeed.sampling.mixture;

import io.rankfeed.sampling.plan.PlanRequest;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.order.OrderLimits;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** The rules of a {@link MixtureRequest}, with messages for users. */
final class MixtureRequestRules {
    private MixtureRequestRules() {}

    /** @param lanes the greatest common divisor of the members' stored lanes */
    static void check(MixtureRequest request, int lanes) {
        checkMembers(request.members());
        int batch = request.batch();
        if (batch < 1 || batch > OrderLimits.MAX_BATCH) {
            throw new ConfigException("batch " + batch + " must be between 1 and " + OrderLimits.MAX_BATCH);
        }
        if (batch % lanes != 0) {
            throw new ConfigException("batch " + batch + " is not a multiple of " + lanes
                    + ", the greatest common divisor of the members' lanes; take batch "
                    + ((long) batch / lanes + 1) * lanes);
        }
        if (request.epochs() < 1) {
            throw new ConfigException("epochs " + request.epochs() + " must be at least 1");
        }
        if (request.stages().isEmpty()) {
            throw new ConfigException("the members have no weights; give weights or stages");
        }
        for (int i = 0; i < request.stages().size(); i++) {
            String key = request.stages().size() == 1 ? "weights" : "stages[" + i + "].weights";
            checkWeights(key + ": ", request.stages().get(i), request.members());
        }
    }

    private static void checkMembers(List<MixtureMember> members) {
        Set<String> names = new HashSet<>();
        long counters = 0;
        for (MixtureMember member : members) {
            if (!names.add(member.name())) {
                throw new ConfigException("member '" + member.name() + "' is listed twice");
            }
            if (member.order().members().size() > 1) {
                throw new ConfigException("member '" + member.name()
                        + "' is a mixture, not a plan over one version; list its members instead");
            }
            if (!member.order().isStored()) {
                throw new ConfigException("member '" + member.name()
                        + "' is not a plan over a version; plan over the version and take that order");
            }
            counters += (long) member.stored().lanes() * member.strata();
        }
        if (counters > OrderLimits.MAX_COUNTERS) {
            throw new ConfigException("lanes times strata of the versions, " + counters + " over all members, exceed "
                    + OrderLimits.MAX_COUNTERS + "; take fewer members, or versions with fewer strata or lanes");
        }
    }

    private static void checkWeights(String where, MixtureRequest.Stage stage, List<MixtureMember> members) {
        List<String> names = members.stream().map(MixtureMember::name).toList();
        new TreeMap<>(stage.weights()).forEach((name, weight) -> {
            if (!names.contains(name)) {
                throw new ConfigException(where + "unknown member '" + name + "'" + Suggestion.hint(name, names));
            }
            if (PlanRequest.isTooLong(weight)) {
                throw new ConfigException(where + "weight of '" + name + "' has more than " + PlanRequest.MAX_DIGITS
                        + " digits; round it");
            }
            if (weight.signum() < 0) {
                throw new ConfigException(where + "weight " + weight.toPlainString() + " of '" + name
                        + "' is negative; weights are 0 or more");
            }
        });
        if (stage.sum().signum() == 0) {
            throw new ConfigException(where + "all weights are 0; give some member a weight");
        }
    }
}
