"""ET-Plan-Bench: finding and moving things under spatial, occlusion and temporal constraints."""
