package io.rankfeed.sampling.mixture;

import io.rankfeed.sampling.mixture.MixtureRequest.Epoch;
import io.rankfeed.sampling.mixture.MixtureRequest.Stage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.OrderLimits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** The number of steps of a mixture's epoch (docs/format/plan.md, section 11.1). */
final class MixtureEpoch {
    private MixtureEpoch() {}

    /** @throws ConfigException if it is 0 or too large, or is to be a pass of a member whose part of the stages changes */
    static int steps(MixtureRequest request) {
        BigInteger steps;
        String epoch;
        if (request.epoch() instanceof Epoch.Rows given) {
            steps = BigInteger.valueOf(given.rows() / request.batch());
            epoch = "an epoch of " + given.rows() + " rows";
        } else {
            String name = ((Epoch.PassOf) request.epoch()).member();
            steps = ofPass(request, name);
            epoch = "one pass of '" + name + "'";
        }
        if (steps.signum() <= 0) {
            throw new ConfigException(epoch + " does not fill one batch of " + request.batch()
                    + "; lower the batch or request more rows");
        }
        if (steps.bitLength() >= Integer.SIZE
                || !OrderLimits.fits(steps.longValueExact() * request.epochs(), request.batch())) {
            throw new ConfigException(epoch + " in each of " + request.epochs()
                    + " epochs makes too many steps; raise the batch, or lower the epochs");
        }
        return steps.intValueExact();
    }

    private static BigInteger ofPass(MixtureRequest request, String name) {
        MixtureMember member = request.members().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigException("one pass of unknown member '" + name + "'; there are "
                        + request.members().stream().map(MixtureMember::name).toList()));
        Stage first = request.stages().get(0);
        BigDecimal weight = first.weight(member);
        for (int i = 0; i < request.stages().size(); i++) {
            Stage stage = request.stages().get(i);
            boolean same = stage.weight(member).multiply(first.sum()).compareTo(weight.multiply(stage.sum())) == 0;
            if (weight.signum() == 0 || !same) {
                throw new ConfigException("one pass of '" + name + "' cannot be the length of an epoch: "
                        + (same ? "its weight is 0" : "its part differs between stage 0 and stage " + i)
                        + "; name a member that has the same part in every stage, or give the rows of an epoch");
            }
        }
        BigDecimal rows = BigDecimal.valueOf(member.rows()).multiply(first.sum());
        BigDecimal perStep = BigDecimal.valueOf(member.order().epochs())
                .multiply(BigDecimal.valueOf(request.batch()))
                .multiply(weight);
        return rows.divide(perStep, 0, RoundingMode.HALF_UP).toBigIntegerExact();
    }
}
